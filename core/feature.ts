import type { AnyElysia } from 'elysia'
import type { Context, Provided, Services } from './context.ts'
import type { ConsistencyCheck } from './data/checks.ts'
import type { JobName, Jobs } from './data/jobs.ts'
import type { PartitionedTable } from './data/partitions.ts'
import type { PersonalData } from './data/personal-data/personal-data.ts'
import type { Subscribers } from './data/subscribers.ts'
import type { Trigger } from './data/triggers.ts'
import type { OperationHandlers } from './integrations/operations/operation-registry.ts'
import type { WebhookHandlers } from './integrations/webhook-intake/webhook-handlers.ts'
import type { Payable } from './money/payments/payable.ts'
import type { EventDeclarations } from './platform/webhooks/events.ts'
import type { AttentionSource } from './shop/attention/attention-source.ts'

/** Background job of a feature. */
export interface Job<N extends JobName> {
  /** Schedule in cron syntax: five fields, UTC. A job without one runs only when enqueued. */
  readonly schedule?: string
  /** Runs the job. `signal` is aborted when the process stops and the job has not ended within the grace period. */
  work(context: Context, payload: Jobs[N], signal: AbortSignal): Promise<void>
}

/** Services that a feature opened at startup, and the function that closes them. */
export interface OpenedFeature {
  readonly services: Partial<Services>
  close?(): unknown
}

/** Background work that a feature runs until the process stops. */
export interface BackgroundWork {
  /** Called when the process begins to stop, before it waits for requests in flight. Ends requests that would last. */
  drain?(): void
  stop(): Promise<void>
}

/** Everything that one feature adds to the application. */
export interface FeatureDefinition {
  readonly routes?: readonly ((context: Context) => AnyElysia)[]
  /** Handlers of adapter operations, such as shipping a parcel. */
  readonly operations?: OperationHandlers
  /** Handlers of proven callbacks of adapters, such as reports of a carrier. */
  readonly webhooks?: WebhookHandlers
  /** Functions that features below call, by the names under which those declare them. */
  readonly provides?: Partial<Provided>
  /** Things that payments can pay for, with the rules of each. */
  readonly payables?: readonly Payable[]
  readonly jobs?: { readonly [N in JobName]?: Job<N> }
  /** Rules between rows that a nightly job and `serai check` verify. */
  readonly checks?: readonly ConsistencyCheck[]
  /** Webhook events that the feature emits, by name. `Events` lists them too, by declaration merging. */
  readonly events?: EventDeclarations
  /** Handlers of domain events. They run in the publisher's transaction, in the order of the features. */
  readonly subscribers?: Subscribers
  /** Triggers of PostgreSQL that work for it, where a subscriber would cost a round trip for each row. */
  readonly triggers?: readonly Trigger[]
  /** Tables of the feature that are partitioned by time. */
  readonly partitions?: readonly PartitionedTable[]
  /** Tables of the feature that hold customers' data, and how that data is erased. */
  readonly personalData?: readonly PersonalData[]
  /** Kinds of things of the feature that wait for a person. */
  readonly attention?: readonly AttentionSource[]
  /** Opens services that are closed at shutdown. The services of features listed earlier are available. */
  readonly setup?: (before: Context) => Promise<OpenedFeature>
  /** Starts background work once all services are open. */
  readonly start?: (context: Context) => Promise<BackgroundWork>
}

/** Named definition of a feature. */
export interface Feature extends FeatureDefinition {
  readonly name: string
}

/** Declares a feature. Export it as default from `feature.ts` and list it in `core/features.ts`. */
export const feature = <const S extends OperationHandlers = Record<never, never>>(
  name: string,
  definition: FeatureDefinition & { readonly operations?: S },
): Omit<Feature, 'operations'> & { readonly operations?: S } => ({ name, ...definition })
