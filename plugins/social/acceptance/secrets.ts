import { check, requireMember } from '../../acceptance/checks.ts'
import type { SocialAdapter } from '../kind.ts'
import type { Draft } from './draft.ts'

const HOUR_MS = 3_600_000

/** Cases about a client secret that is signed for each use. */
export const secretCases = ({ clientSecret }: SocialAdapter): Draft[] => [
  {
    name: 'its secret is signed for the current time, and accepted',
    unless: !clientSecret && 'its secret is constant',
    async run({ adapter, rig, open }) {
      const secretAt = (now: number) => adapter.clientSecret?.(open({ now: () => now }).context) ?? ''
      const isAccepted = requireMember(rig.takesSecret, 'takesSecret')
      check(await isAccepted(await secretAt(Date.now())), 'the current secret is accepted')
      check(!(await isAccepted(await secretAt(Date.now() - HOUR_MS))), 'a secret of an hour ago has expired')
    },
  },
]
