import type { Context } from '../../context.ts'
import { feature } from '../../feature.ts'
import { pageRows } from '../../integrations/connections/calls/page-rows.ts'
import type { OperationCall } from '../../integrations/operations/operation-registry.ts'
import { listConnectionModels } from './model-calls.ts'
import { aiModels } from './models.routes.ts'

/** AI models of connected sources: text, images and speech. */
export default feature('models', {
  routes: [aiModels],
  operations: {
    model: {
      models: async (context: Context, { connection, query }: OperationCall<'model', 'models'>) =>
        pageRows(await listConnectionModels(context, connection), query),
    },
  },
})
