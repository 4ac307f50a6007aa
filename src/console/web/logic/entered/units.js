/**
 * Units of each kind in the spelling of records. One alone may be left out.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const UNITS = {
  WEIGHT: ["kg", "lb"],
  HEART_RATE: ["bpm"],
  RESTING_HEART_RATE: ["bpm"],
  BLOOD_PRESSURE: ["mmHg"],
  BLOOD_PRESSURE_SYSTOLIC: ["mmHg"],
  BLOOD_PRESSURE_DIASTOLIC: ["mmHg"],
  BLOOD_GLUCOSE: ["mg/dL", "mmol/L"],
  OXYGEN_SATURATION: ["%"],
  BODY_TEMPERATURE: ["°C"],
  STEPS: ["steps"],
  SLEEP_DURATION: ["h"],
  EXERCISE_DURATION: ["h"],
  MOOD: ["of 10"],
  ENERGY: ["of 10"],
  PAIN: ["of 10"],
};
