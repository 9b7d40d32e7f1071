import { type GivenEvent, type PixelEvent, Sent } from '../../../../plugins/ads/events.model.ts'
import type { Context } from '../../../context.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { notEnabledError, openConnection } from '../../../integrations/connections/connection.ts'
import { notEnabledSentences } from '../../../integrations/connections/connections.errors.ts'
import { findConnectionByKey } from '../../../integrations/connections/connections.queries.ts'
import type { FieldPath } from '../../../lib/errors/domain-error.ts'
import { accessStore } from '../../../shop/stores/access.ts'
import { adErrors } from '../ads.errors.ts'
import { type AdsConnection, assertEvent } from '../settings.ts'
import { buildGivenEvent } from './build-event.ts'
import { maxEventAgeOf, sendEvents, withEventsToken } from './send-events.ts'

interface Addressed {
  readonly storeId: string
  readonly pixelId: string
}

/** Opens the enabled connection of the store in the body. Throws if the caller may not write its orders. */
async function openForEvents(context: Context, caller: unknown, slug: string, { storeId }: Addressed) {
  if (!caller) throw adErrors.credentialMissing()
  const store = await accessStore(context, caller as Principal, storeId, ['agent', 'orders:write'])
  const row = await findConnectionByKey(context.sql, store.id, slug)
  if (!row?.enabled) throw notEnabledError('ads', notEnabledSentences.notOfStore(slug))
  return { store, connection: openConnection(context, 'ads', row) }
}

/** Sends the caller's events to the platform. Refuses events that are too old before sending, since one of them would delay the others. */
export async function sendGivenEvents(
  context: Context,
  caller: unknown,
  slug: string,
  body: Addressed & { readonly events: readonly GivenEvent[] },
  at: (index: number) => FieldPath,
): Promise<Sent> {
  const { store, connection } = await openForEvents(context, caller, slug, body)
  for (const [index, { name }] of body.events.entries()) assertEvent(connection.mounted.adapter, name, [...at(index), 'name'])
  const events = body.events.map((given) => buildGivenEvent(given, store))
  const oldest = Date.now() / 1000 - maxEventAgeOf(connection)
  const [fresh, late] = [events.filter((event) => event.at >= oldest), events.filter((event) => event.at < oldest)]
  const sent =
    fresh.length === 0 ? { accepted: [], refused: [] } : await sendEvents(context, connection, body.pixelId, withoutRepeats(fresh))
  const why = `It is older than ${connection.mounted.adapter.limits.eventDays} days.`
  return { accepted: sent.accepted, refused: [...sent.refused, ...late.map(({ id }) => ({ id, why }))] }
}

/** Removes repeated events. */
const withoutRepeats = (events: readonly PixelEvent[]) => [...new Map(events.map((event) => [`${event.name} ${event.id}`, event])).values()]

const CALL_MS = 20_000

/** Sends the caller's event to the platform as a test event. */
export async function testGivenEvent(
  context: Context,
  caller: unknown,
  slug: string,
  body: Addressed & { readonly code: string; readonly event: GivenEvent },
): Promise<Sent> {
  const { store, connection } = await openForEvents(context, caller, slug, body)
  assertEvent(connection.mounted.adapter, body.event.name, ['event', 'name'])
  return sendTestEvent(context, connection, body.pixelId, body.code, buildGivenEvent(body.event, store))
}

const sendTestEvent = (context: Context, connection: AdsConnection, pixelId: string, code: string, event: PixelEvent): Promise<Sent> =>
  callAdapter(context, withEventsToken(connection), (adapter, own) => adapter.testEvent(own, { pixelId, code, event }), {
    operation: 'testEvent',
    deadlineMs: CALL_MS,
    schema: Sent,
  })
