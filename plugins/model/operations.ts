import { connectionOperations } from '../connection.operations.ts'
import { get } from '../operation.ts'
import { Model } from './model.ts'

/** Operations of model sources. */
export const modelOperations = {
  ...connectionOperations,
  models: get({
    paths: ['models'],
    role: 'admin',
    needs: ['models'],
    summary: 'The models that the connection may use',
    rows: Model,
  }),
}
