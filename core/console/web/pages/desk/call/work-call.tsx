import { useRef, useState } from 'preact/hooks'
import { RequestError } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { describeFailure, Failure } from '../../../ui/failure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { showToast } from '../../../ui/toast.tsx'
import { Money } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { announceOutcome } from '../announce.ts'
import { type Correction, useCorrection } from '../correction/use-correction.ts'
import type { Call, Desk, Outcome, OutcomeDetails } from '../desk.ts'
import { LeaseOver } from '../lease-time.tsx'
import { CallCard } from './call-card.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { CustomerHistory } from './customer-history.tsx'
import { OutcomeBar, outcomes } from './outcome-bar.tsx'
import { PostponeDialog } from './postpone-dialog.tsx'

interface WorkCallProps {
  readonly desk: Desk
  readonly call: Call
  /** True while a dialog of the page stands over the order: its keys rest. */
  readonly isCovered: boolean
}

/** The order on the desk with its outcomes. Corrections are saved before an outcome is recorded. */
export function WorkCall({ desk, call, isCovered }: WorkCallProps) {
  const canUndo = useStore().can('undoConfirmation')
  const correction = useCorrection(call.order, desk.replaceOrder)
  const [asked, setAsked] = useState<'postponed' | 'cancelled' | null>(null)
  const page = useRef<HTMLDivElement>(null)
  const record = async (outcome: Outcome, details?: OutcomeDetails) => {
    if (correction.isSaving) return
    if (!(await correction.save())) {
      // The dialog keeps what was typed, and stands over the reason.
      if (asked !== null) showToast(t('desk.notSaved'))
      return
    }
    setAsked(null)
    // Another order may have come to the desk meanwhile, as by a search or from another tab.
    if (desk.call.peek()?.order.id !== call.order.id) return
    announceOutcome(desk, outcome, call, { canUndo })
    desk.record(outcome, details)
  }
  const choose = (outcome: Outcome) => {
    if (outcome === 'postponed' || outcome === 'cancelled') setAsked(outcome)
    else void record(outcome)
  }
  useKeys(
    {
      ...Object.fromEntries(outcomes.map((outcome, at) => [String(at + 1), () => !correction.isSaving && choose(outcome)] as const)),
      c: () => page.current?.querySelector<HTMLAnchorElement>('a.desk-call')?.click(),
      e: () => correction.toggle('place'),
    },
    { isActive: asked === null && !isCovered },
  )
  return (
    <>
      <div class="desk-body" ref={page}>
        <LeaseOver endsAt={call.endsAt} onKeep={() => void desk.renew().catch((error) => showToast(describeFailure(error)))} />
        <CallCard call={call} correction={correction} />
        <CustomerHistory call={call} />
      </div>
      <footer class="desk-foot">
        <SaveBar correction={correction} onReload={() => void desk.renew().catch((error) => showToast(describeFailure(error)))} />
        <OutcomeBar isBusy={correction.isSaving} onChoose={choose} />
      </footer>
      {asked === 'postponed' && <PostponeDialog onChoose={(until) => void record('postponed', { until })} onClose={() => setAsked(null)} />}
      {asked === 'cancelled' && <CancelDialog onChoose={(details) => void record('cancelled', details)} onClose={() => setAsked(null)} />}
    </>
  )
}

interface SaveBarProps {
  readonly correction: Correction
  /** Reads the order anew. */
  readonly onReload: () => void
}

/** Offers to save or discard what was corrected, with the total that it leads to. */
function SaveBar({ correction, onReload }: SaveBarProps) {
  const { isDirty, isSaving, failure, totals } = correction
  if (!isDirty) return null
  return (
    <div class="desk-save">
      {isOutdated(failure) ? (
        <p class="notice bad row apart" role="alert">
          <span>{t('desk.changed')}</span>
          <button type="button" class="button" onClick={onReload}>
            {t('desk.showChanged')}
          </button>
        </p>
      ) : (
        Boolean(failure) && <Failure error={failure} />
      )}
      <div class="row apart">
        <span>
          {t('desk.unsaved')} · <Money amount={totals.total} />
        </span>
        <span class="row">
          <button
            type="button"
            class="button quiet icon"
            aria-label={t('desk.discard')}
            title={t('desk.discard')}
            disabled={isSaving}
            onClick={correction.discard}
          >
            <Icon name="close" />
          </button>
          <button type="button" class="button" disabled={isSaving} onClick={() => void correction.save()}>
            {t('save')}
          </button>
        </span>
      </div>
    </div>
  )
}

const isOutdated = (error: unknown) => error instanceof RequestError && error.code === 'version_conflict'
