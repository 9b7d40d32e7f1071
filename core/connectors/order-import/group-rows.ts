import { beginning } from '../../../plugins/toolkit/values.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { toLatinDigits } from '../../lib/money/parse-number.ts'
import type { CutRow, NewImportRow } from '../../shop/imports/imports.model.ts'
import type { SheetRow } from '../../shop/imports/parse-sheet.ts'
import type { ContinuationRow } from '../../shop/imports/run-import.ts'
import type { OrderCells } from './columns.ts'

/** Order of a sheet: its rows, and the key that identifies it in a later import. */
export interface SheetOrder {
  readonly rows: readonly OrderCells[]
  /** Its reference, or without one a hash of its row. */
  readonly key: string
  /** Hash of all its rows, in any order. */
  readonly content: string
}

const NAME_MAX = 80

interface OrderGroup {
  readonly row: number
  readonly cells: Map<string, OrderCells>
  isCut: boolean
}

/**
 * Groups rows with the same reference as lines of one order. A repeated row counts once, so a sheet pasted twice creates no duplicates. An
 * unreadable row invalidates all rows of its order.
 */
export async function groupRows(sheet: readonly SheetRow[]): Promise<NewImportRow[]> {
  const orders = new Map<string, OrderGroup>()
  const pause = yieldEvery()
  const placed: {
    readonly row: number
    readonly order: OrderGroup
    readonly key: string
    readonly isRepeat: boolean
    readonly name: string | null
  }[] = []
  for (const { row, cells, isCut } of sheet) {
    const { reference }: OrderCells = cells
    const hash = hashOf(cells)
    const key = reference === undefined ? `row:${hash}` : `reference:${foldReference(reference)}`
    const order: OrderGroup = orders.get(key) ?? { row, cells: new Map(), isCut: false }
    orders.set(key, order)
    placed.push({ row, order, key, isRepeat: order.cells.has(hash), name: reference === undefined ? null : beginning(reference, NAME_MAX) })
    order.cells.set(hash, cells)
    order.isCut ||= isCut
    await pause()
  }
  return placed.map(({ row, order, key, isRepeat, name }) => ({ row, name, input: inputOf(row, order, key, { isRepeat }) }))
}

function inputOf(
  row: number,
  order: OrderGroup,
  key: string,
  { isRepeat }: { readonly isRepeat: boolean },
): SheetOrder | ContinuationRow | CutRow {
  if (order.isCut) return { isCut: true }
  if (row !== order.row) return { continues: order.row, isRepeat }
  return { rows: [...order.cells.values()], key, content: sha256([...order.cells.keys()].toSorted().join()) }
}

const hashOf = (cells: OrderCells) => sha256(JSON.stringify(Object.entries(cells).toSorted(([one], [other]) => (one < other ? -1 : 1))))

const foldReference = (reference: string) => toLatinDigits(reference).normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
