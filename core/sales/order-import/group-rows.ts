import { sha256 } from '../../lib/crypto.ts'
import { latinDigits } from '../../lib/written-number.ts'
import type { NewRow } from '../../shop/imports/imports.model.ts'
import type { SheetRow } from '../../shop/imports/read-rows.ts'
import type { Continued } from '../../shop/imports/work-import.ts'
import type { Cells } from './columns.ts'

/** An order of a sheet: its rows, and what it is known by when the sheet comes again. */
export interface SheetOrder {
  readonly rows: readonly Cells[]
  /** Its reference, or where it has none a hash of its row. */
  readonly key: string
  /** Hash of all its rows. */
  readonly content: string
}

const NAME_MAX = 80

/**
 * Puts rows with the same reference together as lines of one order. A row that stands twice in the sheet counts once, so that a sheet that was
 * pasted twice makes no order twice.
 */
export function groupRows(sheet: readonly SheetRow[]): NewRow[] {
  const orders = new Map<string, { readonly row: number; readonly rows: Map<string, Cells> }>()
  const named = sheet.map(({ row, cells }: { row: number; cells: Cells }) => {
    const hash = hashOf(cells)
    const key = cells.reference === undefined ? `row:${hash}` : `reference:${foldReference(cells.reference)}`
    const order = orders.get(key) ?? { row, rows: new Map() }
    orders.set(key, order)
    const isRepeat = order.rows.has(hash)
    order.rows.set(hash, cells)
    return { row, key, isRepeat, name: cells.reference?.slice(0, NAME_MAX) ?? null }
  })
  return named.map(({ row, key, isRepeat, name }) => {
    const order = orders.get(key)
    const isFirst = order?.row === row
    const input: SheetOrder | Continued =
      order && isFirst
        ? { rows: [...order.rows.values()], key, content: sha256([...order.rows.keys()].join()) }
        : { continues: order?.row ?? row, isRepeat }
    return { row, name, input }
  })
}

const hashOf = (cells: Cells) => sha256(JSON.stringify(Object.entries(cells).toSorted(([one], [other]) => (one < other ? -1 : 1))))

const foldReference = (reference: string) => latinDigits(reference).normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
