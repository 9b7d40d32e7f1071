import { RequestError } from '../../api/errors.ts'
import { describeFailure } from '../../ui/failure.tsx'
import { isolate } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import type { Desk, Refusal } from './desk.ts'

/** Says which outcomes wait to be sent, and which the server refused. */
export function WaitingOutcomes({ desk }: { readonly desk: Desk }) {
  const waiting = desk.waiting.value
  // An outcome that is being sent is no news: only those of a desk without a network are.
  const isStuck = waiting.length > 1 || (waiting.length > 0 && desk.phase.value !== 'loading')
  return (
    <>
      {isStuck && (
        <p class="notice wait" role="status">
          {t('desk.waitingList', { count: waiting.length })}
          {': '}
          {waiting.map(({ name, release }) => `${isolate(name)} (${t(`desk.past.${release.outcome ?? 'given_back'}`)})`).join(', ')}
        </p>
      )}
      {desk.refusals.value.map((refusal) => (
        <p class="notice bad row apart" role="alert" key={refusal.queued.id}>
          <span>{t('desk.refusedOutcome', { name: isolate(refusal.queued.name), why: reasonOf(refusal) })}</span>
          <button type="button" class="button" onClick={desk.dismissRefusals}>
            {t('desk.dismiss')}
          </button>
        </p>
      ))}
    </>
  )
}

const reasonOf = ({ error }: Refusal) =>
  error instanceof RequestError && error.code === 'conflict' ? t('desk.lostLease') : describeFailure(error)
