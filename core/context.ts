import type { Logger } from 'pino'
import type { Registry } from '../plugins/host/registry.ts'
import type { Config } from './config.ts'
import type { Database } from './data/database/database.ts'
import type { Processes } from './data/processes/processes.ts'
import type { Shared } from './data/shared/shared.ts'
import type { Sql } from './data/sql.ts'
import type { Bodies } from './http/body/declared-bodies.ts'
import type { Outbound } from './lib/net/outbound.ts'

/** What features open for themselves and for those above them. Each adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface Services {}

/** Where a process stands: before it has begun all that it does, while it takes requests, and once it was told to stop. */
export interface Readiness {
  phase: 'starting' | 'ready' | 'draining'
}

/** What a feature is given. Acts take `sql` (the pool or a transaction) besides, where they write. */
export interface Context extends Services {
  readonly config: Config
  readonly database: Database
  /** The pool for requests and jobs. */
  readonly sql: Sql
  readonly shared: Shared
  /** This process among those that work on the database. */
  readonly processes: Processes
  /** What it says of itself to whoever leads requests to it. */
  readonly readiness: Readiness
  /** Port on which the process answers; of `PORT=0` the one that the system chose. */
  readonly listener: { port: number }
  readonly log: Logger
  /** For adapters: declared hosts only. Carriers are reached through `gateway/way-out.ts`. */
  readonly outbound: Outbound
  /** For addresses that callers gave: private networks only where the operator allows it. */
  readonly webhookOutbound: Outbound
  /** The adapters that are there now. */
  readonly plugins: Registry
  /** What the routes that are there now take. */
  readonly bodies: Bodies
}
