import { fails, same } from '../../acceptance/checks.ts'
import { fieldsAreSane, isSane, windowsAreSane } from '../../acceptance/definition.ts'
import { ads } from '../kind.ts'
import { CONTRACT } from '../members.ts'
import type { Draft } from './draft.ts'

/** Cases about the definition and the connection test. */
export const definitionCases = (): Draft[] => [
  {
    name: 'the definition is sane',
    run({ adapter }) {
      isSane(adapter, { name: 'ads', contract: CONTRACT })
      windowsAreSane(adapter)
      same(ads.problems?.(adapter), [], 'problems')
    },
  },
  { name: 'the fields can be shown in a form', run: ({ adapter }) => fieldsAreSane(adapter) },
  {
    name: 'wrong credentials are reported as unauthorized',
    async run({ adapter, rig, open }) {
      same(typeof (await adapter.testConnection(open().context)), 'object', 'answer')
      const { context } = open({ credentials: { ...rig.credentials, ...rig.badCredentials } })
      await fails(adapter.testConnection(context), ['unauthorized'], 'connection test')
    },
  },
]
