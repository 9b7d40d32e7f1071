import type { Completion } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { listAvailableModels, resolveModel } from '../../models/available-models.ts'
import { type ModelCallOptions, requestCompletion } from '../../models/model-calls.ts'
import type { AvailableModel, CompletionResult } from '../../models/models.model.ts'

/** Source of models and completions for the chat. */
export interface ModelSource {
  /** Lists the models that give text, those of the store's own connections first. */
  list(context: Context, storeId: string): Promise<readonly AvailableModel[]>
  /** Returns the model with this id, or without an id the first that gives text. Throws `not_found`, `conflict`. */
  find(context: Context, storeId: string, id: string | undefined): Promise<AvailableModel>
  /** Requests a completion; see `requestCompletion`. */
  complete(
    context: Context,
    storeId: string,
    usable: AvailableModel,
    asked: Omit<Completion, 'model'>,
    options: ModelCallOptions,
  ): Promise<CompletionResult>
}

/** Source that uses the connected AI models. */
export const modelSource: ModelSource = {
  list: async (context, storeId) => (await listAvailableModels(context, { storeId })).filter(({ model }) => model.gives.includes('text')),
  find: (context, storeId, id) => resolveModel(context, { storeId }, id, 'text'),
  complete: (context, storeId, usable, asked, options) => requestCompletion(context, { storeId }, usable, asked, options),
}
