import type { Logger } from 'pino'
import type { Registry } from '../plugins/host/registry.ts'
import type { Config } from './config.ts'
import type { Shared } from './data/shared.ts'
import type { Sql } from './data/sql.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { auth } from './http/auth.ts'
import type { Vault } from './lib/crypto.ts'
import type { Outbound } from './lib/outbound.ts'
import type { Outcomes } from './parcels/outcomes.ts'

/** What a feature is given. Acts take `sql` (the pool or a transaction) besides, where they write. */
export interface Context {
  readonly config: Config
  readonly sql: Sql
  readonly shared: Shared
  readonly log: Logger
  readonly vault: Vault
  /** For adapters: declared hosts only. Carriers are reached through `gateway/way-out.ts`. */
  readonly outbound: Outbound
  readonly gateway: Gateway
  /** For addresses that callers gave: private networks only where the operator allows it. */
  readonly webhookOutbound: Outbound
  /** The adapters that are there now. */
  readonly plugins: Registry
  readonly outcomes: Outcomes
  /** The macros that say who may ask: `.use(context.auth)` in every routes file. */
  readonly auth: ReturnType<typeof auth>
}
