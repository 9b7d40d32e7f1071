import { evictOldest } from '../lib/evict-oldest.ts'

/** Row that names its version: `xmin` of PostgreSQL, the transaction that wrote the row. Each change of the row changes it. */
export interface VersionedRow {
  readonly version: string
}

interface Limits {
  readonly rows: number
  /** Characters of one row as JSON. Longer rows are not remembered. */
  readonly charsPerRow: number
}

/**
 * Rows that seldom change, remembered in this process. They may be old: use one only where its version is compared with that of the table,
 * in the transaction that writes what follows from it.
 */
export class RowMemory<Row extends VersionedRow> {
  readonly #rows = new Map<string, Row>()

  constructor(readonly limits: Limits) {}

  /** Returns the remembered row. Undefined where there is none. */
  recall(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  remember(key: string, row: Row): void {
    this.#rows.delete(key)
    if (JSON.stringify(row).length > this.limits.charsPerRow) return
    evictOldest(this.#rows, this.limits.rows - 1)
    this.#rows.set(key, row)
  }

  forget(key: string): void {
    this.#rows.delete(key)
  }
}
