// The slots that the tabs of this browser write an experiment's checkpoints to.

const MAX_TABS = 20;

/** One for each tab: "id", "id 2" and so on. */
export const slotsOf = (id: string): string[] =>
  Array.from({ length: MAX_TABS }, (_, tab) => (tab ? `${id} ${tab + 1}` : id));
