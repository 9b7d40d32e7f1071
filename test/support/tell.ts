import { type Sql, transaction } from '../../core/data/sql.ts'
import { emit, type NewEvent } from '../../core/platform/webhooks/emit.ts'

/** Events of nothing that really happened, in a transaction of their own. */
export const tell = (sql: Sql, events: readonly NewEvent[]) => transaction(sql, (tx) => emit(tx, events))
