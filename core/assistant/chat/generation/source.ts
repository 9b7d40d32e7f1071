import type { Completion } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { type Asking, complete } from '../../models/ask.ts'
import type { Completed, Usable } from '../../models/models.model.ts'
import { usableModel, usableModels } from '../../models/usable.ts'

/** Where answers come from. */
export interface ModelSource {
  /** All that write, of the store's own connections first. */
  list(context: Context, storeId: string): Promise<readonly Usable[]>
  /** The one that is named, or the first that writes. Throws `not_found`, `conflict`. */
  find(context: Context, storeId: string, id: string | undefined): Promise<Usable>
  complete(context: Context, storeId: string, usable: Usable, asked: Omit<Completion, 'model'>, options: Asking): Promise<Completed>
}

export const modelSource: ModelSource = {
  list: async (context, storeId) => (await usableModels(context, { storeId })).filter(({ model }) => model.gives.includes('text')),
  find: (context, storeId, id) => usableModel(context, { storeId }, id, 'text'),
  complete: (context, storeId, usable, asked, options) => complete(context, { storeId }, usable, asked, options),
}
