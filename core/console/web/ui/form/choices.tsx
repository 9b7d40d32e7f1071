import { useId } from 'preact/hooks'

interface ChoicesProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choices: readonly (readonly [value: Value, name: string])[]
  readonly onChoose: (value: Value) => void
}

/** Shows a few choices side by side, of which one is chosen. */
export function Choices<Value extends string>({ label, value, choices, onChoose }: ChoicesProps<Value>) {
  const name = useId()
  return (
    <fieldset class="field segments">
      <legend class="label">{label}</legend>
      <div>
        {choices.map(([each, text]) => (
          <label key={each}>
            <input type="radio" name={name} value={each} checked={each === value} onChange={() => onChoose(each)} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
