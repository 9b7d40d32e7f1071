import type { Logger } from 'pino'
import type { Sql } from '../../data/sql.ts'
import { type CallLog, openCallLog } from './call-log.ts'
import { CircuitBreakers } from './circuit-breakers.ts'
import { openTraceWriter, type TraceWriter } from './traces.ts'

/** Shared state of outbound calls: circuit breakers, the log of calls and the traces. */
export interface Egress {
  /** Connection pool for reads and writes during a call to a carrier. */
  readonly sql: Sql
  readonly breakers: CircuitBreakers
  readonly callLog: CallLog
  readonly traceWriter: TraceWriter
  stop(): Promise<void>
}

/** Opens the state of outbound calls over its own connection pool. */
export function openEgress(sql: Sql, log: Logger): Egress {
  const traces = openTraceWriter(sql, log)
  return { sql, breakers: new CircuitBreakers(), callLog: openCallLog(sql), traceWriter: traces, stop: () => traces.stop() }
}
