import { type Static, Type as T, type TProperties, type TSchema } from '@sinclair/typebox'
import { STATED } from '../../../plugins/schema.ts'
import type { Product } from '../../http/auth/scopes.ts'
import { MEANINGS } from '../../http/openapi/wording.ts'

export type Family = 'project' | 'store'

/** Who may subscribe: endpoints of a project (family B), webhooks of a store (family A), or both. */
interface Audience {
  readonly audience: Family | 'both'
  /** What the project must have enabled. */
  readonly product?: Product
}

/** An event, as the feature that emits it declares it. */
export interface EventDeclaration<Data extends TSchema = TSchema> extends Audience {
  /** What happened, in a few words. */
  readonly summary: string
  /** All that it carries. */
  readonly data: Data
}
export type EventDeclarations = Readonly<Record<string, EventDeclaration>>

/** Every event and what it carries. A feature adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface Events {}
export type EventName = keyof Events & string
/** What events carry, as they are declared. */
export type DataOf<D extends EventDeclarations> = { readonly [N in keyof D]: Static<D[N]['data']> }

const declaring =
  (who: Audience) =>
  <P extends TProperties>(summary: string, data: P) => ({ ...who, summary, data: T.Object(data) })

export const eventOfStore = declaring({ audience: 'store' })
export const eventOfProject = (product: Product) => declaring({ audience: 'project', product })
/** Of both families. */
export const eventOfBoth = (product: Product) => declaring({ audience: 'both', product })

/** Nobody emits these yet; who subscribes to them now gets them from the first one on. */
const awaited: Readonly<Record<string, Audience>> = {}

const declared = new Map<string, EventDeclaration>()

/** What features emit. Said once, where all of them are known. A name that nobody says can be neither emitted nor subscribed to. */
export function declareEvents(events: EventDeclarations) {
  for (const [name, declaration] of Object.entries(events)) {
    if (declared.has(name) || Object.hasOwn(awaited, name)) throw new Error(`The event ${name} is declared twice.`)
    declared.set(name, declaration)
  }
}

export function eventNamed(name: string): EventDeclaration {
  const found = declared.get(name)
  if (!found) throw new Error(`No feature declares the event ${name}.`)
  return found
}

const isFor = (family: Family, { audience }: Audience) => audience === family || audience === 'both'

/** Those of a family that are emitted. */
export const emittedTo = (family: Family) => [...declared].filter(([, declaration]) => isFor(family, declaration))

/** What an endpoint of this family may name in `events`, besides `*`. */
export const eventsOf = (family: Family): string[] =>
  [...Object.entries(awaited), ...declared].flatMap(([name, who]) => (isFor(family, who) ? [name] : []))

/** `events` of a subscription, as the description of the interface shows it: names that clients get as a type, and patterns. */
export function shownEvents(family: Family) {
  const names = ['*', ...eventsOf(family).sort()]
  const meanings = Object.fromEntries(names.map((name) => [name, declared.get(name)?.summary ?? 'all events; stands alone']))
  const title = family === 'project' ? 'ProjectEventName' : 'StoreEventName'
  const named = { type: 'string', title, enum: names, [MEANINGS]: meanings }
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
const TOPIC_PATTERN = '^inventory\\.stock\\.changed:([^/*\\u0000-\\u001f\\u007f-\\u009f]+\\*?|\\*)/[^\\u0000-\\u001f\\u007f-\\u009f]+$'

/** Sent by the test route alone; nobody subscribes to it. */
export const TEST_EVENT = 'webhook.test'

/** The one event with topics: `inventory.stock.changed:{namespace}/{key}`. */
export const TOPIC_EVENT = 'inventory.stock.changed'
