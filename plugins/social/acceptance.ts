import type { Case } from '../acceptance/accept.ts'
import { runRecorded } from '../acceptance/bench.ts'
import { definitionCases } from './acceptance/definition.ts'
import type { Draft } from './acceptance/draft.ts'
import { profileCases } from './acceptance/persons.ts'
import type { Rig } from './acceptance/rig.ts'
import { secretCases } from './acceptance/secrets.ts'
import { signInCases } from './acceptance/signing-in.ts'
import { tokenCases } from './acceptance/tokens.ts'
import { type SocialAdapter, social } from './kind.ts'

export type { Case } from '../acceptance/accept.ts'
export type { SeenCall } from '../acceptance/calls.ts'
export { type Desk, type DeskOptions, openDesk } from '../acceptance/desk.ts'
export type { Account, Fault, Rig, TokenOf } from './acceptance/rig.ts'

const chapters: readonly ((adapter: SocialAdapter) => Draft[])[] = [definitionCases, profileCases, signInCases, tokenCases, secretCases]

/** Acceptance suite of sign-in providers. Runs under any test runner, or without one. */
export function acceptance(adapter: SocialAdapter, rig: Rig): Case[] {
  return chapters
    .flatMap((chapter) => chapter(adapter))
    .map(({ name, unless, run }) => ({
      name,
      ...(unless && { skip: unless }),
      async run() {
        const before = (await rig.seen()).length
        const calls = async () => (await rig.seen()).slice(before)
        await runRecorded(adapter, rig, social.groups, (watched, open) => run({ adapter: watched, rig, open }), calls)
      },
    }))
}
