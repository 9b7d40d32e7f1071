import type { Logger } from 'pino'
import type { Sql } from '../../data/sql.ts'
import { Breakers } from './breaker.ts'
import { type Calls, openCalls } from './calls.ts'
import { openTraces, type Traces } from './traces.ts'

/** What the way out keeps between calls: who has been failing, and what was asked. */
export interface Egress {
  /** For what is read and written while a carrier is being asked. */
  readonly sql: Sql
  readonly breakers: Breakers
  readonly calls: Calls
  readonly traces: Traces
  stop(): Promise<void>
}

export function openEgress(sql: Sql, log: Logger): Egress {
  const traces = openTraces(sql, log)
  return { sql, breakers: new Breakers(), calls: openCalls(sql), traces, stop: () => traces.stop() }
}
