import { type Sql, transaction } from '../../core/data/sql.ts'
import { emitWebhook, type NewEvent } from '../../core/platform/webhooks/emit.ts'

/** An event of nothing that really happened: it carries whatever the test wants to see again. */
export type Pretended = { readonly [F in keyof NewEvent]: F extends 'data' ? object : NewEvent[F] }

/** What these carry is held against no schema. */
export const pretences = new WeakSet<object>()

export function pretend(events: readonly Pretended[]): NewEvent[] {
  for (const { data } of events) pretences.add(data)
  return events as NewEvent[]
}

/** In a transaction of their own. */
export const tell = (sql: Sql, events: readonly Pretended[]) => transaction(sql, (tx) => emitWebhook(tx, pretend(events)))
