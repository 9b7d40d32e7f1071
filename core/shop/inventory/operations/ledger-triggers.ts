import type { Trigger } from '../../../data/triggers.ts'

const FINAL = 'Posted stock is never changed or deleted, only reversed by another operation: the database refuses it, whatever code asks.'
const ONCE = `An operation is reversed once: its reversal is a row with a unique key of its own, since unique keys of a partitioned table cannot
  leave out the partition's column.`

const refusing = (table: string): Trigger => ({
  table,
  name: 'final',
  before: true,
  on: ['update', 'delete', 'truncate'],
  function: 'inventory_refuse_change',
  why: FINAL,
})

/** Triggers that keep the stock ledger final and each operation reversed once at most. */
export const ledgerTriggers: readonly Trigger[] = [
  refusing('inventory_operations'),
  refusing('inventory_movements'),
  refusing('inventory_reversals'),
  { table: 'inventory_operations', name: 'reverses', on: ['insert'], function: 'inventory_note_reversal', why: ONCE },
  { table: 'inventory_reversals', name: 'reversed_exists', before: true, on: ['insert'], function: 'inventory_find_reversed', why: ONCE },
]
