import { feature } from '../../feature.ts'
import { asAccepted, labelResponse, printLabel, printLabels } from './print.ts'

export default feature('labels', {
  serves: {
    carrier: {
      async labels(context, { connection, body: { trackings, ...printing }, request }) {
        return asAccepted(await printLabels(context, connection, trackings, printing), request)
      },
      labelIndividual: (context, { connection, body: { tracking, ...printing } }) => printLabel(context, connection, tracking, printing),
      async label(context, { connection, params, query: { paper } }) {
        return labelResponse(await printLabel(context, connection, params.tracking, paper ? { paper } : {}))
      },
    },
  },
})
