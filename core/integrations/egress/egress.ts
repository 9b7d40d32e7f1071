import type { Logger } from 'pino'
import type { Sql } from '../../data/sql.ts'
import { Breakers } from './breaker.ts'
import { type Calls, openCalls } from './calls.ts'
import { openTraces, type Traces } from './traces.ts'

/** Shared state of outbound calls: circuit breakers, the log of calls and the traces. */
export interface Egress {
  /** Connection pool for reads and writes during a call to a carrier. */
  readonly sql: Sql
  readonly breakers: Breakers
  readonly calls: Calls
  readonly traces: Traces
  stop(): Promise<void>
}

/** Opens the state of outbound calls over its own connection pool. */
export function openEgress(sql: Sql, log: Logger): Egress {
  const traces = openTraces(sql, log)
  return { sql, breakers: new Breakers(), calls: openCalls(sql), traces, stop: () => traces.stop() }
}
