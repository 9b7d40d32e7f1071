import { kind } from '../kind.ts'
import { type AdsAdapter, CONTRACT, definition, members } from './members.ts'
import { adsOperations } from './operations.ts'

export { type AdsAdapter, CONTRACT }

/** Kind of advertising platforms: they report what ads cost, and receive conversion events. */
export const ads = kind({
  name: 'ads',
  contract: CONTRACT,
  directory: import.meta.dir,
  tag: 'Advertising',
  scopes: { read: 'orders:read', write: 'orders:write' },
  definition,
  listed: ['events', 'customEvents'],
  members,
  operations: adsOperations,
  outputFields: { times: ['lastFiredAt'] },
  problems: ({ limits, events = [], eventsToken, credentials = {} }: Partial<AdsAdapter>) => [
    ...(limits === undefined ? ['lacks its limits'] : []),
    ...(eventsToken === undefined || credentials[eventsToken]?.secret ? [] : [`needs the credential ${eventsToken}, which is secret`]),
    ...(new Set(events).size < events.length ? ['names an event twice'] : []),
  ],
})
