import { check, needed } from '../../acceptance/checks.ts'
import type { SocialAdapter } from '../kind.ts'
import type { Draft } from './draft.ts'

const HOUR_MS = 3_600_000

export const secretCases = ({ clientSecret }: SocialAdapter): Draft[] => [
  {
    name: 'its secret is signed for now, and taken',
    unless: !clientSecret && 'its secret stays as it is',
    async run({ adapter, rig, open }) {
      const secretAt = (now: number) => adapter.clientSecret?.(open({ now: () => now }).context) ?? ''
      const takes = needed(rig.takesSecret, 'takesSecret')
      check(await takes(await secretAt(Date.now())), 'the secret of now is taken')
      check(!(await takes(await secretAt(Date.now() - HOUR_MS))), 'the secret of an hour ago is over')
    },
  },
]
