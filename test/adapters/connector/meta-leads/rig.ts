import { createHmac } from 'node:crypto'
import { ADDRESS } from '../../../../plugins/connector/acceptance/bench.ts'
import { createStorage, openDesk, type Rig } from '../../../../plugins/connector/acceptance.ts'
import type { ConnectorAdapter, InboundRequest } from '../../../../plugins/connector/index.ts'
import { APP, FORM, PAGE, startMetaLeads, TOKEN } from './simulator.ts'

export function rig(platform: ConnectorAdapter): Rig {
  const meta = startMetaLeads()
  const credentials = { ...APP, accessToken: TOKEN, pageToken: PAGE.token }
  const settings = { pageId: PAGE.id }
  const signed = (body: Uint8Array, secret: string = APP.clientSecret): InboundRequest => ({
    method: 'POST',
    url: '/webhook',
    headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` },
    body,
  })
  return {
    credentials,
    settings,
    badCredentials: { accessToken: 'EAAB-of-nobody', pageToken: 'EAAB-of-nobody' },
    open(options) {
      const kept = createStorage()
      void kept.set('forms', [{ formId: FORM }])
      return openDesk(platform, { 'graph.facebook.com': meta.url }, { credentials, settings, storage: kept, ...options })
    },
    place: async (_, count) => Array.from({ length: count }, () => meta.answer().id),
    become: async () => {},
    seen: async () => ({
      orders: [...meta.leads.values()].map(({ id, answers, created }) => ({
        externalId: id,
        total: '0',
        phone: answers.phone_number ?? '',
        city: 'Bab Ezzouar',
        lines: 1,
        pieces: 1,
        unitPrice: '0',
        delivery: '0',
        createdAt: new Date(created).toISOString(),
      })),
      // Where it calls stands in the app.
      subscriptions: [...meta.apps.values()].flat().map((topic) => ({ topic, address: ADDRESS, isOn: true })),
      trackingIds: [],
      calls: meta.requests,
    }),
    callback: async (_, externalId) => signed(new TextEncoder().encode(meta.signed(meta.told({ id: externalId, formId: FORM })).raw)),
    signed: async (_, body) => signed(body),
    secret: 'clientSecret',
    proof: 'x-hub-signature-256',
    isForm: true,
    endsAll: true,
    switchOff: async () => meta.apps.clear(),
    fail: meta.fail,
    calm: meta.calm,
    close: () => meta.stop(),
  }
}
