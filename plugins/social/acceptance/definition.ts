import { assertEqual, expectFailure, requireMember } from '../../acceptance/checks.ts'
import { assertDefinition, assertFields, assertRateWindows } from '../../acceptance/definition.ts'
import { CONTRACT, type SocialAdapter, social } from '../kind.ts'
import type { Draft } from './draft.ts'

/** Cases about the definition and the connection test. */
export const definitionCases = ({ testConnection }: SocialAdapter): Draft[] => [
  {
    name: 'the definition is sane',
    run({ adapter }) {
      assertDefinition(adapter, { name: 'social', contract: CONTRACT })
      assertRateWindows(adapter)
      assertEqual(social.problems?.(adapter), [], 'problems')
    },
  },
  { name: 'the fields can be shown in a form', run: ({ adapter }) => assertFields(adapter) },
  {
    name: 'wrong credentials are reported as unauthorized',
    unless: !testConnection && 'credentials can only be tested by a sign-in',
    async run({ adapter, rig, open }) {
      assertEqual(typeof (await adapter.testConnection?.(open().context)), 'object', 'answer')
      const { context } = open({ credentials: { ...rig.credentials, ...requireMember(rig.badCredentials, 'badCredentials') } })
      await expectFailure(adapter.testConnection?.(context), ['unauthorized'], 'connection test')
    },
  },
]
