import type { Completion } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { type Asking, complete } from '../../models/ask.ts'
import type { Completed, Usable } from '../../models/models.model.ts'
import { usableModel, usableModels } from '../../models/usable.ts'

/** Source of models and completions for the chat. */
export interface ModelSource {
  /** Lists the models that give text, those of the store's own connections first. */
  list(context: Context, storeId: string): Promise<readonly Usable[]>
  /** Returns the model with this id, or without an id the first that gives text. Throws `not_found`, `conflict`. */
  find(context: Context, storeId: string, id: string | undefined): Promise<Usable>
  /** Requests a completion; see `requestCompletion`. */
  complete(context: Context, storeId: string, usable: Usable, asked: Omit<Completion, 'model'>, options: Asking): Promise<Completed>
}

/** Source that uses the connected AI models. */
export const modelSource: ModelSource = {
  list: async (context, storeId) => (await usableModels(context, { storeId })).filter(({ model }) => model.gives.includes('text')),
  find: (context, storeId, id) => usableModel(context, { storeId }, id, 'text'),
  complete: (context, storeId, usable, asked, options) => complete(context, { storeId }, usable, asked, options),
}
