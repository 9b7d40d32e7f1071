import { type Static, Type as T, type TProperties, type TSchema } from '@sinclair/typebox'
import { STATED } from '../../../plugins/schema.ts'
import type { Product } from '../../http/auth/scopes.ts'
import { ENUM_MEANINGS } from '../../http/openapi/meanings.ts'

/** Family of endpoints: those of projects, or those of stores. */
export type EndpointFamily = 'project' | 'store'

/** Endpoints that may subscribe: a project's (family B), a store's (family A), or both. */
interface Audience {
  readonly audience: EndpointFamily | 'both'
  /** Product that the project must have enabled. */
  readonly product?: Product
}

/** Declaration of an event by the feature that emits it. */
export interface EventDeclaration<Data extends TSchema = TSchema> extends Audience {
  /** One sentence without a full stop: when it occurs and what a receiver does about it. */
  readonly summary: string
  /** Schema of the payload. */
  readonly data: Data
}
/** Declarations of events by name. */
export type EventDeclarations = Readonly<Record<string, EventDeclaration>>

/** Events and their payloads. A feature adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface Events {}
/** Name of an event. */
export type EventName = keyof Events & string
/** Payloads of declared events. */
export type DataOf<D extends EventDeclarations> = { readonly [N in keyof D]: Static<D[N]['data']> }

const declareFor =
  (who: Audience) =>
  <P extends TProperties>(summary: string, data: P) => ({ ...who, summary, data: T.Object(data) })

/** Declares an event for store endpoints. */
export const eventOfStore = declareFor({ audience: 'store' })
/** Declares an event for project endpoints. */
export const eventOfProject = (product: Product) => declareFor({ audience: 'project', product })
/** Declares an event for project and store endpoints. */
export const eventOfBoth = (product: Product) => declareFor({ audience: 'both', product })

/** Events that can be subscribed to but are not emitted yet. */
const upcomingEvents: Readonly<Record<string, Audience>> = {}

const declared = new Map<string, EventDeclaration>()

/** Registers the events of a feature at startup. Only registered events can be emitted. Throws if an event is declared twice. */
export function declareEvents(events: EventDeclarations) {
  for (const [name, declaration] of Object.entries(events)) {
    if (declared.has(name) || Object.hasOwn(upcomingEvents, name)) throw new Error(`The event ${name} is declared twice.`)
    declared.set(name, declaration)
  }
}

/** Returns the declaration of an event. Throws if no feature declares it. */
export function findEventDeclaration(name: string): EventDeclaration {
  const found = declared.get(name)
  if (!found) throw new Error(`No feature declares the event ${name}.`)
  return found
}

const isFor = (family: EndpointFamily, { audience }: Audience) => audience === family || audience === 'both'

/** Lists the emitted events of a family. */
export const listEmittedEvents = (family: EndpointFamily) => [...declared].filter(([, declaration]) => isFor(family, declaration))

/** Lists the event names that an endpoint of this family may subscribe to, besides `*`. */
export const listEventNames = (family: EndpointFamily): string[] =>
  [...Object.entries(upcomingEvents), ...declared].flatMap(([name, who]) => (isFor(family, who) ? [name] : []))

/** Builds the schema of `events` for OpenAPI: names, which clients get as a type, and topic patterns. */
export function eventsSchema(family: EndpointFamily) {
  const names = ['*', ...listEventNames(family).sort()]
  const meanings = Object.fromEntries(names.map((name) => [name, `${declared.get(name)?.summary ?? EVERY_EVENT}.`]))
  const title = family === 'project' ? 'ProjectEventName' : 'StoreEventName'
  const named = { type: 'string', title, enum: names, [ENUM_MEANINGS]: meanings }
  const topic = {
    type: 'string',
    maxLength: 500,
    pattern: TOPIC_PATTERN,
    description: `of ${TOPIC_EVENT} alone; either part may be or end in *`,
  }
  const items = names.includes(TOPIC_EVENT) ? { anyOf: [named, topic] } : named
  // "*" stands alone.
  const alone = [{ maxItems: 1 }, { items: { not: { enum: ['*'] } } }]
  return { type: 'array', minItems: 1, maxItems: 100, items, [STATED]: { anyOf: alone } }
}
const EVERY_EVENT = 'Subscribes to all present and future events; must be the only entry'
const TOPIC_PATTERN = '^inventory\\.stock\\.changed:([^/*\\u0000-\\u001f\\u007f-\\u009f]+\\*?|\\*)/[^\\u0000-\\u001f\\u007f-\\u009f]+$'

/** Event of the test route. Endpoints cannot subscribe to it. */
export const TEST_EVENT = 'webhook.test'

/** Only event with topics: `inventory.stock.changed:{namespace}/{key}`. */
export const TOPIC_EVENT = 'inventory.stock.changed'
