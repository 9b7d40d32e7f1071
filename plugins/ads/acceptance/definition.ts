import { assertEqual, expectFailure } from '../../acceptance/checks.ts'
import { assertDefinition, assertFields, assertRateWindows } from '../../acceptance/definition.ts'
import { ads } from '../kind.ts'
import { CONTRACT } from '../members.ts'
import type { Draft } from './draft.ts'

/** Cases about the definition and the connection test. */
export const definitionCases = (): Draft[] => [
  {
    name: 'the definition is sane',
    run({ adapter }) {
      assertDefinition(adapter, { name: 'ads', contract: CONTRACT })
      assertRateWindows(adapter)
      assertEqual(ads.problems?.(adapter), [], 'problems')
    },
  },
  { name: 'the fields can be shown in a form', run: ({ adapter }) => assertFields(adapter) },
  {
    name: 'wrong credentials are reported as unauthorized',
    async run({ adapter, rig, open }) {
      assertEqual(typeof (await adapter.testConnection(open().context)), 'object', 'answer')
      const { context } = open({ credentials: { ...rig.credentials, ...rig.badCredentials } })
      await expectFailure(adapter.testConnection(context), ['unauthorized'], 'connection test')
    },
  },
]
