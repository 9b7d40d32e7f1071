import { beginning } from '../../../plugins/toolkit/values.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { toLatinDigits } from '../../lib/money/parse-number.ts'
import type { CutRow, NewImportRow } from '../../shop/imports/imports.model.ts'
import type { SheetRow } from '../../shop/imports/parse-sheet.ts'
import type { ContinuationRow } from '../../shop/imports/run-import.ts'
import type { Cells } from './columns.ts'

/** An order of a sheet: its rows, and what it is known by when the sheet comes again. */
export interface SheetOrder {
  readonly rows: readonly Cells[]
  /** Its reference, or where it has none a hash of its row. */
  readonly key: string
  /** Hash of all its rows, in whatever sequence they stand. */
  readonly content: string
}

const NAME_MAX = 80

interface Grouped {
  readonly row: number
  readonly cells: Map<string, Cells>
  isCut: boolean
}

/**
 * Puts rows with the same reference together as lines of one order. A row that stands twice in the sheet counts once, so that a sheet that was
 * pasted twice makes no order twice. An order with a row that cannot be read is refused with all its rows.
 */
export async function groupRows(sheet: readonly SheetRow[]): Promise<NewImportRow[]> {
  const orders = new Map<string, Grouped>()
  const breathe = yieldEvery()
  const placed: {
    readonly row: number
    readonly order: Grouped
    readonly key: string
    readonly isRepeat: boolean
    readonly name: string | null
  }[] = []
  for (const { row, cells, isCut } of sheet) {
    const { reference }: Cells = cells
    const hash = hashOf(cells)
    const key = reference === undefined ? `row:${hash}` : `reference:${foldReference(reference)}`
    const order: Grouped = orders.get(key) ?? { row, cells: new Map(), isCut: false }
    orders.set(key, order)
    placed.push({ row, order, key, isRepeat: order.cells.has(hash), name: reference === undefined ? null : beginning(reference, NAME_MAX) })
    order.cells.set(hash, cells)
    order.isCut ||= isCut
    await breathe()
  }
  return placed.map(({ row, order, key, isRepeat, name }) => ({ row, name, input: inputOf(row, order, key, isRepeat) }))
}

function inputOf(row: number, order: Grouped, key: string, isRepeat: boolean): SheetOrder | ContinuationRow | CutRow {
  if (order.isCut) return { isCut: true }
  if (row !== order.row) return { continues: order.row, isRepeat }
  return { rows: [...order.cells.values()], key, content: sha256([...order.cells.keys()].toSorted().join()) }
}

const hashOf = (cells: Cells) => sha256(JSON.stringify(Object.entries(cells).toSorted(([one], [other]) => (one < other ? -1 : 1))))

const foldReference = (reference: string) => toLatinDigits(reference).normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
