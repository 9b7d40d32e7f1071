import { type EndpointFamily, listEventNames, TOPIC_EVENT } from './events.ts'
import { webhookErrors } from './webhooks.errors.ts'

/** Subscription of an endpoint, as it is stored. */
export interface Subscription {
  readonly events: readonly string[]
  readonly allEvents: boolean
  readonly eventNames: readonly string[]
  /**
   * Regular expressions over `{type}:{topic}`, for processes of the previous version. The database derives its own patterns from `events`.
   */
  readonly topicPatterns: readonly string[]
}

const TOPIC = /^([^/*\p{Cc}]*\*?)\/(\P{Cc}+)$/u

/** Parses event names, topic patterns, or `*` alone. Throws 400 for an unsupported event. */
export function parseSubscription(given: readonly string[], family: EndpointFamily): Subscription {
  const events = [...new Set(given)]
  if (events.includes('*')) {
    if (events.length > 1) throw webhookErrors.allEventsAlone({ field: ['events'] })
    return { events, allEvents: true, eventNames: [], topicPatterns: [] }
  }
  const supported: readonly string[] = listEventNames(family)
  const eventNames: string[] = []
  const topicPatterns: string[] = []
  for (const event of events) {
    if (supported.includes(event)) eventNames.push(event)
    else topicPatterns.push(topicPattern(event, supported) ?? unsupported(given.indexOf(event), event, family))
  }
  return { events, allEvents: false, eventNames, topicPatterns }
}

function topicPattern(event: string, supported: readonly string[]): string | null {
  const prefix = `${TOPIC_EVENT}:`
  if (!event.startsWith(prefix) || !supported.includes(TOPIC_EVENT)) return null
  const [, namespace, key] = TOPIC.exec(event.slice(prefix.length)) ?? []
  if (!namespace || !key) return null
  return `^${literal(prefix)}${part(namespace, '[^/]*')}/${part(key, '.*')}$`
}

const part = (text: string, anything: string) => (text.endsWith('*') ? literal(text.slice(0, -1)) + anything : literal(text))
const literal = (text: string) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')

/** Operations that subscribe to a family. */
const ADDRESSES: Readonly<Record<EndpointFamily, string>> = {
  project: 'POST /v1/webhook-endpoints',
  store: 'POST /v1/stores/{storeId}/integrations/webhooks',
}

function unsupported(index: number, event: string, family: EndpointFamily): never {
  const supported = listEventNames(family)
  const other = family === 'store' ? 'project' : 'store'
  const [name = ''] = event.split(':')
  if (listEventNames(other).includes(name))
    throw webhookErrors.eventOfOtherAddress({ event, other, address: ADDRESSES[other] }, { field: ['events', index] })
  const topics = supported.includes(TOPIC_EVENT)
    ? `, or a topic pattern ${TOPIC_EVENT}:{namespace}/{key} where either part may be or end in *`
    : ''
  throw webhookErrors.eventUnknown({ event, supported: supported.join(', '), topics }, { field: ['events', index] })
}
