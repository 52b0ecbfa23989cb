// The fields in which the reader chooses what to compare, and what may be chosen there.
import * as texts from '#messages/lesson/beside';
import { nameOf } from '#messages/ui';
import { labelOf } from '#messages/workbench';
import { html, nothing, type TemplateResult } from 'lit';
import type { Config } from '../../../engine/types';
import { field, select } from '../../../ui/choices';
import { written } from '../../../ui/numbers';
import { keptKinds } from '../../../workbench/kept-models';
import type { Setting } from '../../../workbench/settings';
import { choiceOf, rivalsOf, SEEDS, settingsIn, valuesFor, WAYS, type Chosen } from './other';
import { LOWER, rungTitle } from './rungs';

type Way = Chosen['by'];
type Choose = (part: Partial<Chosen>) => void;

/** What is chosen while nothing is: the first setting, with a value that it does not have here; else the first rungs. */
export function startIn(config: Config): Chosen {
  const [setting] = settingsIn(config);
  if (!setting) return { by: 'rung', what: String(LOWER[0]), value: '', seeds: 1 };
  return { by: 'setting', ...firstChange(config, setting), seeds: 1 };
}

function firstChange(config: Config, setting: Setting): Pick<Chosen, 'what' | 'value'> {
  const now = config[setting.key] ?? setting.start;
  return { what: setting.key, value: valuesFor(config, setting)?.[0] ?? written(larger(now)) };
}

/** Twice the number; of a list, only its first. */
function larger(value: Config[string]): Config[string] {
  if (Array.isArray(value)) return [2 * value[0]! || 1, ...value.slice(1)];
  return typeof value === 'number' ? 2 * value || 1 : value;
}

/** Another model has other settings, and other kinds beside it. */
export const isOffered = (config: Config, { by, what }: Chosen): boolean =>
  whatIn(config, by === 'left' ? 'fresh' : by).includes(what);

/** The settings, kinds of model or rungs that can be chosen this way. */
function whatIn(config: Config, by: Way): string[] {
  if (by === 'setting') return settingsIn(config).map(({ key }) => key);
  if (by === 'rung') return LOWER.map(String);
  const kinds = rivalsOf(config).map(({ kind }) => kind);
  return by === 'fresh' ? kinds : keptKinds(kinds.filter((kind) => kind !== config.kind));
}

export function fieldsOf(config: Config, chosen: Chosen, hasSeeds: boolean, choose: Choose): TemplateResult {
  const ways = WAYS.filter((way) => way === chosen.by || whatIn(config, way).length > 0);
  const goBy = (by: Way): void =>
    choose(by === 'setting' ? { ...startIn(config), seeds: chosen.seeds } : firstOf(config, by));
  const seeds = (count: number): void => choose({ seeds: count });
  return html`${field(
    texts.CHANGED,
    select(ways, chosen.by, goBy, (by) => texts.WAYS[by]),
  )}
  ${chosen.by === 'setting' ? settingFields(config, chosen, choose) : whatField(config, chosen, choose)}
  ${hasSeeds ? field(texts.SEEDS, select<number>(SEEDS, chosen.seeds, seeds, texts.seedsOf)) : nothing}`;
}

const firstOf = (config: Config, by: Way): Partial<Chosen> => ({ by, what: whatIn(config, by)[0]!, value: '' });

function whatField(config: Config, { by, what }: Chosen, choose: Choose): TemplateResult {
  const rungName = (lower: string): string => texts.fromTo(rungTitle(+lower), rungTitle(+lower + 1));
  const kindName = (kind: string): string => choiceOf(kind).title;
  const pick = (chosen: string): void => choose({ what: chosen });
  const label = by === 'rung' ? texts.RUNG : texts.KIND;
  const offered = whatIn(config, by);
  const all = offered.includes(what) ? offered : [what, ...offered]; // of a link: it was left in another browser
  return field(label, select(all, what, pick, by === 'rung' ? rungName : kindName));
}

function settingFields(config: Config, { what, value }: Chosen, choose: Choose): TemplateResult {
  const settings = settingsIn(config);
  const settingOf = (key: string): Setting => settings.find((each) => each.key === key)!;
  const pick = (key: string): void => choose(firstChange(config, settingOf(key)));
  const label = (key: string): string => labelOf(String(config.kind), key);
  const keys = settings.map(({ key }) => key);
  return html`${field(texts.SETTING, select(keys, what, pick, label))}
  ${field(texts.VALUE, valueField(config, settingOf(what), value, choose))}`;
}

function valueField(config: Config, setting: Setting, value: string, choose: Choose): TemplateResult {
  const values = valuesFor(config, setting);
  const pick = (chosen: string): void => choose({ value: chosen });
  if (values) return select(values, value, pick, (each) => valueName(setting, each));
  return html`<input
    class="entry"
    name="other-value"
    autocomplete="off"
    inputmode=${typeof setting.start === 'number' ? 'decimal' : nothing}
    .value=${value}
    @change=${(event: Event) => pick((event.target as HTMLInputElement).value.trim().slice(0, 30))}
  />`;
}

const valueName = ({ start }: Setting, value: string): string =>
  typeof start === 'boolean' ? texts.YES_OR_NO[value as 'true' | 'false'] : nameOf(value);
