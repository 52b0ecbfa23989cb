// Each file of engine/program/library by its name there, such as "nn/linear.py".
const texts = import.meta.glob<string>('../../../engine/program/library/**/*.py', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export default Object.fromEntries(Object.entries(texts).map(([path, text]) => [path.split('/library/')[1]!, text]));
