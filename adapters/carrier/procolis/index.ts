import { CarrierError, carrier, foldName, isRow, word } from 'serai/carrier'
import { call } from './api.ts'
import { type Company, companies, host } from './companies.ts'
import { type Context, credentials, settings } from './fields.ts'
import { findByReference, send, sendMany, sendManyMax, validate } from './send.ts'
import { statuses } from './statuses.ts'
import { fees, rates, states } from './tariffs.ts'
import { track, trackMax } from './track.ts'

const enabled = foldName('Accès activé')

/** Tests the keys. An inactive account also gets status 200. */
async function testConnection(context: Context, company: Company) {
  const answer = await call({ context, company }, 'GET', 'token')
  const said = isRow(answer) ? word(answer.Statut) : undefined
  if (foldName(said ?? '') === enabled) return {}
  throw new CarrierError(
    'unauthorized',
    `${company.label} does not say that these keys give access${said ? `: ${said.slice(0, 200)}` : ''}.`,
  )
}

const companyCarrier = (company: Company) =>
  carrier({
    slug: company.slug,
    label: company.label,
    website: `https://${host}/`,
    countries: ['DZ'],
    currency: 'DZD',
    net: [host],
    credentials,
    settings,
    exactlyOnce: 'findByReference',
    settleSeconds: 20,
    rateWindows: [{ calls: 45, seconds: 60 }],
    deliveryTypes: ['home', 'pickup'],
    exchanges: true,
    editableIn: [],
    cancellableIn: [],
    statuses,
    testConnection: (context) => testConnection(context, company),
    send: (context, shipment) => send({ context, company }, shipment),
    sendMany: (context, shipments) => sendMany({ context, company }, shipments),
    sendManyMax,
    findByReference: (context, reference) => findByReference({ context, company }, reference),
    validate: (context, trackingId) => validate({ context, company }, trackingId),
    track: (context, trackingIds) => track({ context, company }, trackingIds),
    trackMax,
    states: (context) => states({ context, company }),
    fees: (context, query) => fees({ context, company }, query),
    rates: (context, quote) => rates({ context, company }, quote),
  })

export default companies.map(companyCarrier)
