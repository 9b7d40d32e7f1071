import { kind } from '../kind.ts'
import { CONTRACT, definition, type ModelAdapter, members } from './members.ts'
import { modelOperations } from './operations.ts'

export { CONTRACT, type ModelAdapter }

/** Kind of model sources: they write texts, call tools, generate images and speech. */
export const model = kind({
  name: 'model',
  contract: CONTRACT,
  directory: import.meta.dir,
  tag: 'Assistants',
  owners: ['store', 'platform'],
  scopes: { read: 'stores:read', write: 'stores:write' },
  definition,
  members,
  operations: modelOperations,
})
