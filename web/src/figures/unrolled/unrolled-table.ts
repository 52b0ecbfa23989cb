// The states of an unrolled network as a table, one row per state.
import { CAPTION, STATE_COLUMNS, readWord } from '#messages/figures/unrolled';
import { exact, significant } from '../../ui/numbers';
import type { Table, TableCell, TableRow } from '../host/tables';
import type { Scene } from './unrolled-scene';
import { norm } from './unrolled-strips';
import type { UnrolledCell } from './unrolled-trace';

export function stateTable(scene: Scene): Table {
  const { cells, inputs } = scene.network;
  const { state, word, reads, norm: ofNorm } = STATE_COLUMNS;
  const size = Math.max(...cells.map((cell) => scene.size(scene.node(cell.state))));
  return {
    caption: CAPTION,
    quiet: true,
    head: [state, word, ...(inputs.length ? [reads] : []), ofNorm, ...Array(size).keys()],
    rows: cells.map((cell) => stateRow(scene, cell)),
  };
}

function stateRow(scene: Scene, cell: UnrolledCell): TableRow {
  const values = scene.strip(cell);
  const start = scene.example * scene.size(scene.node(cell.state));
  const size = values && norm(values);
  const reads: TableCell[] = scene.network.inputs.length ? [{ value: readWords(scene, cell), kind: 'reads' }] : [];
  return {
    tensor: scene.shown(cell.state)?.name,
    heads: [scene.rowName(cell), scene.word(cell)],
    cells: [
      ...reads,
      { value: size, text: size === undefined ? '' : significant(size, 4) },
      ...Array.from(values ?? [], (value, i) => ({ value, text: exact(value), index: start + i })),
    ],
  };
}

/** "c, the teacher’s" */
function readWords(scene: Scene, { network, position }: UnrolledCell): string {
  const read = scene.reads(network)[position];
  if (!read || position === 0) return read?.word ?? '';
  return readWord(read.word, read.own);
}
