import { trackingsIn } from '../../../plugins/carrier/rows.model.ts'
import { feature } from '../../feature.ts'
import { labelResponse, negotiateLabels, printLabel, printLabels } from './print.ts'

/** Labels of parcels: the carrier's, or our own. */
export default feature('labels', {
  operations: {
    carrier: {
      async labels(context, { connection, body, request }) {
        return negotiateLabels(await printLabels(context, connection, trackingsIn(body), { ...body, signal: request.signal }), request)
      },
      labelIndividual: (context, { connection, body, request: { signal } }) =>
        printLabel(context, connection, 'trackingId' in body ? body.trackingId : body.tracking, { ...body, signal }),
      async label(context, { connection, params, query: { paper }, request: { signal } }) {
        return labelResponse(await printLabel(context, connection, params.tracking, { signal, ...(paper ? { paper } : {}) }))
      },
    },
  },
})
