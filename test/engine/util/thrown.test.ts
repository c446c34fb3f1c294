import { describe, expect, it } from '@jest/globals';
import { codeOf, stringProperty, toError } from '../../../engine/util/errors.ts';
import { required } from '../../../engine/util/values.ts';

describe('what was thrown', () => {
  it('has a code only if it is an object with a text under that name', () => {
    expect(codeOf(Object.assign(new Error('full'), { code: 'ENOSPC' }))).toBe('ENOSPC');
    expect(codeOf({ code: '40P01' })).toBe('40P01');
    for (const thrown of [undefined, null, 'ENOSPC', 7, {}, { code: 7 }]) expect(codeOf(thrown)).toBeUndefined();
    expect(stringProperty(new Error('late'), 'message')).toBe('late');
  });

  it('becomes an error unless it is one', () => {
    const error = new TypeError('wrong');
    expect(toError(error)).toBe(error);
    expect(toError('stop')).toMatchObject({ message: 'stop', cause: 'stop' });
    expect(toError(undefined).message).toBe('undefined');
  });
});

describe('a value that must be there', () => {
  it('is returned, false and empty ones too, and named when it is missing', () => {
    expect([required(0), required(''), required(false)]).toEqual([0, '', false]);
    expect(() => required(null, 'the account')).toThrow('the account is missing');
    expect(() => required(undefined)).toThrow('the value is missing');
  });
});
