import type { Logger } from 'pino'
import type { AdapterRegistry } from '../plugins/host/registry.ts'
import type { Config } from './config.ts'
import type { Database } from './data/database/database.ts'
import type { Processes } from './data/processes/processes.ts'
import type { SharedState } from './data/shared/shared.ts'
import type { Sql } from './data/sql.ts'
import type { BodyRegistry } from './http/body/declared-bodies.ts'
import type { Outbound } from './lib/net/outbound.ts'

/** Services that features open for themselves and for the features above them. Each adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface Services {}

/**
 * Functions that a feature calls and a feature above it provides. The caller declares them by declaration merging, the provider lists them as
 * `provides` in its `feature.ts`. They are there before the first feature opens.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface Provided {}

/** Phase of a process: before its work has started, while it accepts requests, and after it was asked to stop. */
export interface Readiness {
  phase: 'starting' | 'ready' | 'draining'
}

/** Everything a feature can use. A use case that writes also takes `sql`, the pool or a transaction. */
export interface Context extends Services, Provided {
  readonly config: Config
  readonly database: Database
  /** The pool for requests and jobs. */
  readonly sql: Sql
  readonly shared: SharedState
  /** Registration of this process among those that work on the database. */
  readonly processes: Processes
  /** Readiness that the process reports to load balancers. */
  readonly readiness: Readiness
  /** Port of the process. For `PORT=0`, the port that the system chose. */
  readonly listener: { port: number }
  readonly log: Logger
  /** Client for adapters, which reaches declared hosts only. Carriers are reached through the egress client. */
  readonly outbound: Outbound
  /** Client for addresses that callers entered. Reaches private networks only if the operator allows it. */
  readonly webhookOutbound: Outbound
  /** Adapters that are installed now. */
  readonly plugins: AdapterRegistry
  /** Content types that the current routes accept. */
  readonly bodies: BodyRegistry
}
