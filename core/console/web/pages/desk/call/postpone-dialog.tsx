import { useState } from 'preact/hooks'
import { useStore } from '../../../session/store.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { readForm } from '../../../ui/form/form.ts'
import { useKeys } from '../../../ui/keys.ts'
import { formatMoment } from '../../../words/format.ts'
import { t, type WordKey } from '../../../words/words.ts'
import { momentOf, readWallTime, wallTimeAt, writeWallTime } from '../../../words/zoned-time.ts'

const HOUR_MS = 60 * 60_000
const DAYS_MAX = 90
const [EVENING, MORNING] = [18, 9]

interface PostponeDialogProps {
  readonly onChoose: (until: string) => void
  readonly onClose: () => void
}

/** Asks when the customer shall be called again: a quick choice, or a time in the time zone of the store. */
export function PostponeDialog({ onChoose, onClose }: PostponeDialogProps) {
  const { timeZone } = useStore()
  const [isPast, setPast] = useState(false)
  const choices = quickChoices(Date.now(), timeZone)
  const choose = (at: number) => onChoose(new Date(at).toISOString())
  useKeys(Object.fromEntries(choices.map(({ at }, place) => [String(place + 1), () => choose(at)])))
  const submit = (event: SubmitEvent) => {
    const wall = readWallTime(readForm(event).until ?? '')
    const at = wall ? momentOf(wall, timeZone) : 0
    if (at > Date.now() && at < Date.now() + DAYS_MAX * 24 * HOUR_MS) choose(at)
    else setPast(true)
  }
  return (
    <Dialog title={t('desk.postponeTitle')} onClose={onClose}>
      <div class="stack">
        {choices.map(({ name, at }, place) => (
          <button
            type="button"
            key={name}
            class="button large apart"
            aria-keyshortcuts={String(place + 1)}
            data-first={place === 0 || undefined}
            onClick={() => choose(at)}
          >
            <span>{t(name)}</span>
            <time class="muted">{formatMoment(new Date(at).toISOString(), timeZone)}</time>
          </button>
        ))}
      </div>
      <form class="stack" onSubmit={submit} noValidate>
        <Field label={t('desk.pickTime')} problem={isPast ? t('desk.timePast') : undefined}>
          <input type="datetime-local" name="until" min={writeWallTime(wallTimeAt(Date.now(), timeZone))} onInput={() => setPast(false)} />
        </Field>
        <button type="submit" class="button large">
          {t('desk.postponeTo')}
        </button>
      </form>
    </Dialog>
  )
}

interface QuickChoice {
  readonly name: WordKey
  readonly at: number
}

/** Times that agents choose most: in one hour, this evening while it is still to come, and tomorrow morning. */
function quickChoices(now: number, timeZone: string): readonly QuickChoice[] {
  const today = wallTimeAt(now, timeZone)
  const evening = momentOf({ ...today, hour: EVENING, minute: 0 }, timeZone)
  const inOneHour = now + HOUR_MS
  return [
    { name: 'desk.inOneHour', at: inOneHour },
    ...(evening > inOneHour ? [{ name: 'desk.thisEvening', at: evening } as const] : []),
    { name: 'desk.tomorrowMorning', at: momentOf({ ...today, day: today.day + 1, hour: MORNING, minute: 0 }, timeZone) },
  ]
}
