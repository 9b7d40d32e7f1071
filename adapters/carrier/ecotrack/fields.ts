import { type CarrierContext, type Field, type Fields, signInFields, utcOffset } from 'serai/carrier'
import type { Company } from './companies.ts'

export const credentials = {
  token: { label: 'API token', secret: true, help: 'From the company’s Ecotrack panel. It works at that company’s host only.' },
  webhookSecret: {
    label: 'Webhook secret',
    secret: true,
    optional: true,
    help: 'Of the endpoint registered in the panel. Without it no callback is believed.',
  },
} as const satisfies Fields

const settings = {
  validate: {
    label: 'Ship at once',
    type: 'boolean',
    default: true,
    help: 'Off: orders stay drafts until they are validated. Once validated, the company takes no edit and no cancellation.',
  },
  askCollection: { label: 'Ask for a pickup when validating', type: 'boolean', default: false },
  shopName: { label: 'Shop name on the order', optional: true, pattern: '.{1,255}' },
  fragile: { label: 'Parcels are fragile', type: 'boolean', default: false },
  sendWeight: {
    label: 'Send the weight',
    type: 'boolean',
    default: false,
    help: 'In whole kilograms. The platform does not say which unit it expects: ask the company first.',
  },
  ...signInFields('Ecotrack'),
  feeUnit: { label: 'Unit of the tariff', options: ['dinars', 'centimes'], default: 'dinars' },
  utcOffset,
} as const satisfies Fields

/** Settings of a company's connection. The host is one of them, because companies move. */
export function settingsOf({ host, verified }: Company) {
  const form = 'A host name alone, such as demo.ecotrack.dz: no https://, no path.'
  const field: Field & { readonly type?: 'text' } = {
    label: 'Host',
    pattern: '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,24}',
    help: verified ? form : `${form} The one given was derived from the company’s name and never seen to work: check it.`,
    ...(host !== null && { default: host }),
  }
  return { host: field, ...settings }
}

export type Context = CarrierContext<typeof credentials, ReturnType<typeof settingsOf>>

export interface Account {
  readonly context: Context
  readonly company: Company
}
