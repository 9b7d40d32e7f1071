import { assertEqual, assertFits, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { SocialAdapter } from '../kind.ts'
import { Profile } from '../model.ts'
import { account, type Draft } from './draft.ts'

/** Cases about tokens of apps. */
export const tokenCases = ({ verifyToken }: SocialAdapter): Draft[] => {
  const unless = !verifyToken && 'its tokens are signed, or it accepts none'
  return [
    {
      name: "an app's token gives the profile of its user",
      unless,
      async run({ adapter, rig, open }) {
        const person = account()
        const profile = await adapter.verifyToken?.(open().context, await requireMember(rig.appToken, 'appToken')(person, 'own'))
        assertFits(Profile, profile, 'profile')
        assertEqual(profile?.subject, person.subject, 'subject')
      },
    },
    ...(['over', 'other'] as const).map((of) => ({
      name: of === 'over' ? 'an expired token is refused' : 'a token of another app is refused',
      unless,
      async run({ adapter, rig, open }: Parameters<Draft['run']>[0]) {
        const token = await requireMember(rig.appToken, 'appToken')(account(), of)
        await expectFailure(adapter.verifyToken?.(open().context, token), ['refused'], 'verifyToken')
      },
    })),
    {
      name: 'an invalid token is refused',
      unless,
      async run({ adapter, open }) {
        for (const token of ['x', '|', 'a&input_token=b', 'é\n'])
          await expectFailure(adapter.verifyToken?.(open().context, token), ['refused'], 'verifyToken')
      },
    },
    {
      name: 'an answer without the user of the token is unavailable',
      unless,
      async run({ adapter, rig, open }) {
        const token = await requireMember(rig.appToken, 'appToken')(account(), 'own')
        requireMember(rig.fail, 'fail')('mumbled')
        await expectFailure(adapter.verifyToken?.(open().context, token), ['unavailable'], 'verifyToken')
      },
    },
  ]
}
