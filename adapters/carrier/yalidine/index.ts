import { CarrierError, carrier } from 'serai/carrier'
import { page } from './api.ts'
import { type Company, companies, hostsOf } from './companies.ts'
import { type Context, credentials, settings } from './fields.ts'
import { centers, cities, states } from './geography.ts'
import { labels } from './labels.ts'
import { batch, batches, preview } from './money.ts'
import { list, track, trackMax } from './parcels.ts'
import { cancel, edit, findByReference, send, sendMany, sendManyMax } from './send.ts'
import { codMax } from './shipment.ts'
import { statuses } from './statuses.ts'
import { fees, rates, serviceFees } from './tariffs.ts'
import { webhook } from './webhook.ts'

/** Tests the keys; wrong ones are answered with 401 or 500. */
async function testConnection(context: Context, company: Company) {
  try {
    await page({ context, company }, 'wilayas/', { page_size: 1 })
    return {}
  } catch (error) {
    if (!(error instanceof CarrierError) || error.upstream.code !== '500') throw error
    throw new CarrierError('unauthorized', `${company.label} answered with status 500, as it does to wrong keys.`, error.upstream)
  }
}

const companyCarrier = (company: Company) =>
  carrier({
    slug: company.slug,
    label: company.label,
    website: company.website,
    countries: ['DZ'],
    currency: 'DZD',
    net: hostsOf(company),
    credentials,
    settings,
    ...(company.slug === 'yalidine' && { branded: ['syncOrders'] }),
    exactlyOnce: 'findByReference',
    settleSeconds: 20,
    rateWindows: [
      { calls: 5, seconds: 1 },
      { calls: 50, seconds: 60 },
      { calls: 1_000, seconds: 3_600 },
      { calls: 10_000, seconds: 86_400 },
    ],
    deliveryTypes: ['home', 'pickup'],
    exchanges: true,
    codMax,
    editableIn: ['submitted'],
    editable: ['recipient', 'destination', 'codAmount', 'declaredValue', 'weightKg', 'contents'],
    cancellableIn: ['submitted'],
    statuses,
    testConnection: (context) => testConnection(context, company),
    send: (context, shipment) => send({ context, company }, shipment),
    sendMany: (context, shipments) => sendMany({ context, company }, shipments),
    sendManyMax,
    findByReference: (context, reference) => findByReference({ context, company }, reference),
    edit: (context, trackingId, change) => edit({ context, company }, trackingId, change),
    cancel: (context, trackingId) => cancel({ context, company }, trackingId),
    track: (context, trackingIds) => track({ context, company }, trackingIds),
    trackMax,
    list: (context, query) => list({ context, company }, query),
    labels: (context, trackingIds) => labels({ context, company }, trackingIds),
    states: (context) => states({ context, company }),
    cities: (context, query) => cities({ context, company }, query),
    centers: (context, query) => centers({ context, company }, query),
    fees: (context, query) => fees({ context, company }, query),
    rates: (context, quote) => rates({ context, company }, quote),
    serviceFees: (context) => serviceFees({ context, company }),
    webhook,
    cash: {
      preview: (context) => preview({ context, company }),
      batches: (context) => batches({ context, company }),
      batch: (context, id) => batch({ context, company }, id),
    },
  })

export default companies.map(companyCarrier)
