// What the engine refuses in a learner's program, in English.
export { default as SENTENCES } from '../../../../engine/messages/en/program.json' with { type: 'json' };
