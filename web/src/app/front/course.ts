// The map on the front page: what a lesson needs is lit while the lesson has the pointer or the focus, and the list of all
// lessons, open where no script runs, is folded.
const stopOf = ({ target }: Event): string | undefined =>
  (target as Element).closest<HTMLElement>('[data-stop]')?.dataset.stop;

function light(course: HTMLElement, lesson: string | undefined): void {
  for (const line of course.querySelectorAll<SVGElement>('.needs path'))
    line.classList.toggle('lit', line.dataset.to === lesson);
}

/** The lessons of the map open as the chosen path has them. */
function openAsChosen(course: HTMLElement): void {
  const { query = '' } = course.querySelector<HTMLElement>('[name="path"]:checked')!.dataset;
  for (const link of course.querySelectorAll<HTMLAnchorElement>('a.st')) link.search = query;
}

export function followCourse(course: HTMLElement): void {
  course.addEventListener('change', () => openAsChosen(course));
  openAsChosen(course);
  for (const type of ['pointerover', 'focusin']) course.addEventListener(type, (event) => light(course, stopOf(event)));
  course.querySelector('details')!.open = false;
}
