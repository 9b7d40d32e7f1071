import { t } from '../../words/words.ts'
import { Icon } from '../icons.tsx'

interface QuantityProps {
  readonly label: string
  readonly value: number
  readonly min?: number
  readonly max?: number
  readonly isInvalid?: boolean
  readonly onChange: (value: number) => void
}

/** Shows a whole number with a button to lower it and one to raise it. */
export function Quantity({ label, value, min = 1, max = 100_000, isInvalid = false, onChange }: QuantityProps) {
  const set = (wanted: number) => onChange(Math.min(max, Math.max(min, wanted)))
  return (
    <div class="quantity">
      <button
        type="button"
        class="button quiet icon"
        aria-label={t('quantity.less', { name: label })}
        disabled={value <= min}
        onClick={() => set(value - 1)}
      >
        <Icon name="minus" />
      </button>
      <input
        class="input"
        inputMode="numeric"
        aria-label={label}
        aria-invalid={isInvalid}
        value={String(value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => {
          const typed = Number(currentTarget.value.replace(/\D/g, ''))
          set(typed)
          // A refused number leaves the state as it was, so that nothing else writes the field anew.
          currentTarget.value = String(Math.min(max, Math.max(min, typed)))
        }}
      />
      <button
        type="button"
        class="button quiet icon"
        aria-label={t('quantity.more', { name: label })}
        disabled={value >= max}
        onClick={() => set(value + 1)}
      >
        <Icon name="plus" />
      </button>
    </div>
  )
}
