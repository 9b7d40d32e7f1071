import { createHmac } from 'node:crypto'
import type { Yalidine } from '../adapters/carrier/yalidine/simulator.ts'
import type { Api } from './api.ts'
import type { Shop } from './shop.ts'

export const stages = [
  'picked_up',
  'in_transit',
  'out_for_delivery',
  'delivered',
  'delivery_failed',
  'on_hold',
  'returning',
  'returned',
] as const
export type Stage = (typeof stages)[number]

export interface CarrierEvent {
  readonly trackingId: string
  readonly stage: Stage
  readonly at: string
}

export interface Callback {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Simulated carrier: moves parcels and builds callbacks about them. */
export interface Carrier {
  readonly key: 'sandbox' | 'yalidine'
  readonly label: string
  /** Credentials and settings that the shop enters. */
  readonly connection: { readonly credentials: Record<string, string>; readonly settings: Record<string, unknown> }
  happen(news: readonly CarrierEvent[]): void
  callback(news: readonly CarrierEvent[]): Callback
}

/** Sandbox carrier. It has no system besides its callbacks. */
export function sandbox(): Carrier {
  const webhookSecret = crypto.randomUUID()
  return {
    key: 'sandbox',
    label: 'Sandbox',
    connection: { credentials: { webhookSecret }, settings: {} },
    happen() {},
    callback(news) {
      const events = news.map(({ trackingId, stage, at }) => ({
        tracking: trackingId,
        status: stage.replaceAll('_', ' '),
        at,
        eventId: crypto.randomUUID(),
      }))
      const body = JSON.stringify({ events })
      return { body, headers: { 'x-sandbox-signature': `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}` } }
    },
  }
}

const yalidineWords: Readonly<Record<Stage, string>> = {
  picked_up: 'Ramassé',
  in_transit: 'Expédié',
  out_for_delivery: 'Sorti en livraison',
  delivered: 'Livré',
  delivery_failed: 'Tentative échouée',
  on_hold: 'En attente',
  returning: 'Retour vers vendeur',
  returned: 'Retourné au vendeur',
}

export function yalidine(simulator: Yalidine): Carrier {
  return {
    key: 'yalidine',
    label: 'Yalidine',
    connection: { credentials: { ...simulator.credentials }, settings: { fromStateCode: '16' } },
    happen(news) {
      for (const { trackingId, stage, at } of news) simulator.advance(trackingId, yalidineWords[stage], { at })
    },
    callback(news) {
      const events = news.map(({ trackingId, stage, at }) => ({
        data: { tracking: trackingId, status: yalidineWords[stage], reason: '' },
        occurredAt: at,
      }))
      const { headers, body } = simulator.callback('parcel_status_updated', events)
      return { headers, body: new TextDecoder().decode(body) }
    },
  }
}

export const connect = (api: Api, { storeId, owner }: Shop, { key, connection }: Carrier) =>
  api.put<{ status: string }>(`/v1/stores/${storeId}/integrations/${key}`, { as: owner.token, body: { enabled: true, ...connection } })

/** Returns the callback address that a person enters in the carrier's dashboard. */
export const callbackAddress = async (api: Api, { storeId, owner }: Shop, { key }: Carrier) =>
  (await api.get<{ url: string }>(`/v1/stores/${storeId}/integrations/${key}/webhookUrl`, owner.token)).url
