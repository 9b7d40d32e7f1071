import type { AnyElysia } from 'elysia'
import type { Context, Services } from './context.ts'
import type { JobName, Jobs } from './data/jobs.ts'
import type { Partitioned } from './data/partitions.ts'
import type { PersonalData } from './data/personal-data/personal-data.ts'
import type { Subscribers } from './data/subscribers.ts'
import type { Trigger } from './data/triggers.ts'
import type { OperationHandlers, WebhookHandlers } from './integrations/operations/operation-registry.ts'
import type { EventDeclarations } from './platform/webhooks/events.ts'

export interface Job<N extends JobName> {
  /** When it is begun by itself: five fields, UTC. */
  readonly at?: string
  /** `signal` is aborted when the process stops and the job took too long to end by itself. */
  work(context: Context, payload: Jobs[N], signal: AbortSignal): Promise<void>
}

export interface Opened {
  readonly services: Partial<Services>
  close?(): unknown
}

/** Goes on beside requests until the process stops. */
export interface Running {
  stop(): Promise<void>
}

/** What one folder brings into the house. */
export interface Definition {
  readonly routes?: readonly ((context: Context) => AnyElysia)[]
  /** What it performs of what is asked of adapters. */
  readonly operations?: OperationHandlers
  readonly webhooks?: WebhookHandlers
  readonly jobs?: { readonly [N in JobName]?: Job<N> }
  /** What it tells those who subscribe, by name. `Events` knows them too, by declaration merging. */
  readonly events?: EventDeclarations
  /** In the transaction of what happened, in the order of the features. */
  readonly subscribers?: Subscribers
  /** Triggers of PostgreSQL that work for it, where a subscriber would cost a round trip for each row. */
  readonly triggers?: readonly Trigger[]
  /** Tables of its own that stand in partitions by time. */
  readonly partitions?: readonly Partitioned[]
  /** Tables of its own that hold data of customers, and how it is erased there. */
  readonly personalData?: readonly PersonalData[]
  /** Services of its own, closed at stop. Those of the features listed before it are there. */
  readonly setup?: (before: Context) => Promise<Opened>
  /** Begun once all is open. */
  readonly start?: (context: Context) => Promise<Running>
}

export interface Feature extends Definition {
  readonly name: string
}

/** Declares a feature. Export it as default from `feature.ts`, and list it in `core/features.ts`: nothing else knows it. */
export const feature = <const S extends OperationHandlers = Record<never, never>>(
  name: string,
  definition: Definition & { readonly operations?: S },
): Omit<Feature, 'operations'> & { readonly operations?: S } => ({ name, ...definition })
