// What the page knows of a view before it fetches it.

/** Kinds of model, and those like them, with the view's place among the others; `every` is for all other kinds. */
type Places = Readonly<Record<string, number>>;

/** For which models the bench offers a figure as a view. */
export interface Offer {
  /** The figure's name: of its folder, and of its element without "u-". */
  view: string;
  /** The models with which the bench shows it until the reader chooses. */
  first?: Places;
  /** The models with which the workbench offers it besides. */
  more?: Places;
  /** A view of attention weights: on a narrow screen those have a tab of their own. */
  map?: true;
}
