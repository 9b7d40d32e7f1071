import { Icon } from '../../../ui/icons.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { t } from '../../../words/words.ts'
import type { Outcome } from '../desk.ts'

/** Outcomes in the order of their keys: `1` is the first. */
export const outcomes = ['confirmed', 'no_answer', 'busy', 'postponed', 'wrong_number', 'cancelled'] as const satisfies readonly Outcome[]

interface OutcomeBarProps {
  readonly isBusy: boolean
  readonly onChoose: (outcome: Outcome) => void
}

/** Buttons of the outcomes of a call, at the thumb. */
export function OutcomeBar({ isBusy, onChoose }: OutcomeBarProps) {
  const choose = (outcome: Outcome) => () => onChoose(outcome)
  return (
    <section class="desk-actions" aria-label={t('desk.outcomes')}>
      <button type="button" class="button primary large" aria-keyshortcuts="1" disabled={isBusy} onClick={choose('confirmed')}>
        {t('desk.confirmed')}
      </button>
      {outcomes.slice(1, 4).map((outcome, at) => (
        <button
          type="button"
          key={outcome}
          class="button large"
          aria-keyshortcuts={String(at + 2)}
          disabled={isBusy}
          onClick={choose(outcome)}
        >
          {t(`desk.${outcome}`)}
        </button>
      ))}
      <Menu class="button large icon" label={t('more')} button={<Icon name="more" />}>
        {outcomes.slice(4).map((outcome, at) => (
          <button type="button" key={outcome} aria-keyshortcuts={String(at + 5)} onClick={choose(outcome)}>
            {t(`desk.${outcome}`)}
          </button>
        ))}
        <hr />
        <button type="button" onClick={choose('given_back')}>
          {t('desk.given_back')}
        </button>
      </Menu>
    </section>
  )
}
